/** Red, green and blue, each 0 to 255. */
type Color = readonly [red: number, green: number, blue: number];

const PAPER = { light: [255, 255, 255], dark: [23, 27, 34] } as const satisfies Record<string, Color>;
/** Contrast that WCAG 2.2 requires for text (AA). */
const READABLE = 4.5;
const STEPS = 40;

/**
 * Style sheet with the color of an application, given as `#rrggbb`. It is used for links and for buttons, whose text stays
 * readable. A color that would be hard to read on the page is darkened, or lightened on the dark page, until it is readable.
 */
export function colorSheet(color: string): string {
  const given = parsed(color);
  const light = readableOn(PAPER.light, given, [0, 0, 0]);
  const dark = readableOn(PAPER.dark, given, [255, 255, 255]);
  const rule = (accent: Color) => `--accent:${hex(accent)};--on-accent:${hex(textOn(accent))}`;
  return `:root{${rule(light)}}@media (prefers-color-scheme:dark){:root{${rule(dark)}}}`;
}

/** Contrast between two colors, 1 to 21 (WCAG 2.2). */
export function contrast(a: Color, b: Color): number {
  const [brighter = 0, darker = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (brighter + 0.05) / (darker + 0.05);
}

function readableOn(paper: Color, color: Color, end: Color): Color {
  for (let step = 0; step <= STEPS; step += 1) {
    const mixed = mix(color, end, step / STEPS);
    if (contrast(mixed, paper) >= READABLE) return mixed;
  }
  return end;
}

function textOn(color: Color): Color {
  const [white, black]: [Color, Color] = [
    [255, 255, 255],
    [0, 0, 0],
  ];
  return contrast(white, color) >= READABLE ? white : black;
}

function mix(from: Color, to: Color, share: number): Color {
  const part = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
  return [part(0), part(1), part(2)];
}

/** Reads `#rrggbb`. */
export function parsed(color: string): Color {
  const part = (start: number) => Number.parseInt(color.slice(start, start + 2), 16);
  return [part(1), part(3), part(5)];
}

function hex(color: Color): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

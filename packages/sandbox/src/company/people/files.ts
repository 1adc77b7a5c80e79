import { crc32, deflateSync } from 'node:zlib';

/** A drawing of a part as SVG: an outline with its number. */
export function drawing(number: number): Buffer {
  const width = 80 + (number % 60);
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="120"><rect x="20" y="20" width="${width}" height="60" ` +
      `fill="none" stroke="black"/><circle cx="40" cy="50" r="9" fill="none" stroke="black"/>` +
      `<text x="20" y="105" font-size="14">Part ${number}</text></svg>\n`,
  );
}

/** A text file of three lines. */
export function note(title: string, number: number): Buffer {
  return Buffer.from(`${title} ${number}\n\nChecked and found in order.\n`);
}

/** A PDF with one line of text. */
export function page(title: string, number: number): Buffer {
  const text = `BT /F1 18 Tf 72 770 Td (${title} ${number}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(`${file}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`);
}

const SIDE = 24;

/** A picture of one color with a dark frame. */
export function picture(number: number): Buffer {
  const color = [number % 256, (number * 7) % 256, (number * 31) % 256];
  const rows = Array.from({ length: SIDE }, (_, y) => {
    const pixels = Array.from({ length: SIDE }, (_, x) =>
      x === 0 || y === 0 || x === SIDE - 1 || y === SIDE - 1 ? [40, 40, 40] : color,
    );
    return [0, ...pixels.flat()];
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  // Eight bits each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A part of a PNG file: length, name, content and checksum. */
function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}

const RATE = 8_000;

/** A WAV file with a tone of a tenth of a second (8 bits, one channel). */
export function tone(number: number): Buffer {
  const samples = Buffer.from(
    Array.from(
      { length: RATE / 10 },
      (_, at) => 128 + Math.round(100 * Math.sin((at * (200 + (number % 300)) * 2 * Math.PI) / RATE)),
    ),
  );
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

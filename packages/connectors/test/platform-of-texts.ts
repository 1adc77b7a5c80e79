import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadPlatform } from '../src/load-platform.ts';
import type { Platform } from '../src/platform.ts';

/** The platform of these YAML texts: its `platform.yaml`, and its mappings by the name of their file without extension. */
export function platformOfTexts(platform: string, mappings: Readonly<Record<string, string>> = {}): Platform {
  const folder = mkdtempSync(join(tmpdir(), 'platform-'));
  try {
    mkdirSync(join(folder, 'mappings'));
    writeFileSync(join(folder, 'platform.yaml'), platform);
    for (const [name, text] of Object.entries(mappings)) writeFileSync(join(folder, 'mappings', `${name}.yaml`), text);
    return loadPlatform(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

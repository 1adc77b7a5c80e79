import { type FetchedFile, fetchFile } from './fetch-file.ts';

/** An image with its media type. */
export type Image = FetchedFile;

const EXPECTED = { type: /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/, maxBytes: 300_000 };

/** Fetches an image of at most 300 kB, as `fetchFile` does. */
export function fetchImage(url: string): Promise<Image | null> {
  return fetchFile(url, EXPECTED);
}

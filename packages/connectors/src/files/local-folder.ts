import { type AllowedFolder, allowedFolder } from './allowed-folder.ts';
import type { FileFolder } from './file-folder.ts';
import { findLocalFile, namesIn, openFile } from './local-files.ts';

/** A folder of this machine, which must be in the folder of the operator (`FILES_FOLDER`). */
export function openLocalFolder(path: string, root = () => process.env.FILES_FOLDER): FileFolder {
  const allowed = (): Promise<AllowedFolder> => allowedFolder(path, root());
  const folder: FileFolder = {
    isAtomic: false,
    check: async () => void (await allowed()),
    list: async () => (await namesIn(await allowed())).map((name) => ({ name })),
    find: async (name) => ({ folder, ...(await findLocalFile(await allowed(), name)) }),
    async open(file) {
      const handle = await openFile(file);
      return {
        bytes: () => handle.createReadStream({ autoClose: false }),
        handle: async () => handle,
        close: () => handle.close(),
      };
    },
    close: async () => {},
  };
  return folder;
}

import { describeStoredContents } from './stored-contents.ts';

describeStoredContents('PostgreSQL', async () => undefined);

import { admin } from './admin/admin.ts';

process.exitCode = await admin(process.argv.slice(2));

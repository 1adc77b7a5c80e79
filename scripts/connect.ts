import { connect } from './connect/connect.ts';

process.exitCode = await connect(process.argv.slice(2));

import { connector } from './connector/connector.ts';

process.exitCode = await connector(process.argv.slice(2));

import { startKillBill } from './start.ts';

// usage: node test-systems/killbill/up.ts [PORT]; its data is removed when it stops. Stop it with Ctrl-C.
const [port = '18080'] = process.argv.slice(2);
const { url, user, password, apiKey, apiSecret, stop } = await startKillBill({ port: Number(port) });
console.log(`Kill Bill: ${url}  user ${user}, password ${password}, API key ${apiKey}, secret ${apiSecret}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());

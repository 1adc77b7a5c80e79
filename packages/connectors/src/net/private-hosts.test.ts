import { expect, test } from 'vitest';
import { parsePrivateHosts } from './private-hosts.ts';

test.each([
  { list: undefined, host: 'erp.intranet', address: '10.0.0.1', included: false },
  { list: '', host: '10.0.0.1', address: '10.0.0.1', included: false },
  { list: 'erp.intranet', host: 'ERP.intranet', address: '10.0.0.1', included: true },
  { list: 'erp.intranet', host: 'other.intranet', address: '10.0.0.1', included: false },
  { list: ' 10.1.0.0/16 ,fd00::/8', host: 'x', address: '10.1.255.255', included: true },
  { list: '10.1.0.0/16', host: 'x', address: '10.2.0.0', included: false },
  { list: 'fd00::/8', host: 'x', address: 'fd12::1', included: true },
  { list: '127.0.0.1', host: 'localhost', address: '127.0.0.1', included: true },
  { list: '*', host: 'x', address: '169.254.169.254', included: true },
])('"$list" includes $host at $address: $included', ({ list, host, address, included }) => {
  expect(parsePrivateHosts(list).includes(host, address)).toBe(included);
});

test.each(['10.1.0.0/33', '10.1.0/16', '10.1.0.0/', 'erp/8'])('"%s" is refused', (list) => {
  expect(() => parsePrivateHosts(list)).toThrow();
});

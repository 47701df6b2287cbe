import { expect, it } from 'vitest';
import { checkCertificate } from './certificate.ts';

const DAY = 86_400_000;
const now = Date.parse('2026-11-26T06:41:00Z');
const ending = (days: number) => async () => now + days * DAY;

it('a certificate that expires within two weeks is reported', async () => {
  const check = (days: number, url = 'https://pedidos.tienda.es') => checkCertificate(url, ending(days), now);
  await check(15);
  await expect(check(13)).rejects.toThrow('el certificado de https://pedidos.tienda.es caduca en 13 días');
  await expect(check(-3)).rejects.toThrow('caduca en 0 días');
  await check(1, 'http://localhost:3000');
});

it('an unreachable address is not reported', async () => {
  expect(await checkCertificate('https://pedidos.tienda.es', () => Promise.reject(new Error('ECONNREFUSED')), now)).toBeUndefined();
  expect(await checkCertificate(undefined)).toBeUndefined();
});

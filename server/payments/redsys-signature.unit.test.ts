import { expect, it } from 'vitest';
import { isGenuine, orderKey, signRedsys } from './redsys-signature.ts';

// The example published by Redsys (see the address in redsys-signature.ts).
const SECRET = 'sq7HjrUOBfKmC576ILgskD5srU870gJ7';
const ORDER = '1234567890';
const PARAMETERS =
  'eyJEU19NRVJDSEFOVF9BTU9VTlQiOiI5OTkiLCJEU19NRVJDSEFOVF9PUkRFUiI6IjEyMzQ1Njc4OTAiLCJEU19NRVJDSEFOVF9NRVJDSEFOVENPREUiOiI5OTkwMDg4ODEiLCJEU19NRVJDSEFOVF9DVVJSRU5DWSI6Ijk3OCIsIkRTX01FUkNIQU5UX1RSQU5TQUNUSU9OVFlQRSI6IjAiLCJEU19NRVJDSEFOVF9URVJNSU5BTCI6IjEiLCJEU19NRVJDSEFOVF9NRVJDSEFOVFVSTCI6Imh0dHA6XC9cL3d3dy5wcnVlYmEuY29tXC91cmxOb3RpZmljYWNpb24ucGhwIiwiRFNfTUVSQ0hBTlRfVVJMT0siOiJodHRwOlwvXC93d3cucHJ1ZWJhLmNvbVwvdXJsT0sucGhwIiwiRFNfTUVSQ0hBTlRfVVJMS08iOiJodHRwOlwvXC93d3cucHJ1ZWJhLmNvbVwvdXJsS08ucGhwIn0';
const SIGNATURE = 'Vjo02eSWq249IeZZp3R-ArFnGLhKY0OuzDDlx1BuVtZDC2yhczA7_11uZhsYzLZBCMFAz8u8uzGDX3AErHKmmw';

it('key and signature match the example published by Redsys', () => {
  expect(orderKey(SECRET, ORDER)).toBe('RWt3/IPTzYRMXsQtkiGRKg==');
  expect(signRedsys(SECRET, ORDER, PARAMETERS)).toBe(SIGNATURE);
});

it('the right signature is accepted in either base64 alphabet, and any other signature is refused', () => {
  const plain = Buffer.from(SIGNATURE, 'base64url').toString('base64');
  expect(isGenuine(SECRET, 'HMAC_SHA512_V2', ORDER, PARAMETERS, SIGNATURE)).toBe(true);
  expect(isGenuine(SECRET, 'HMAC_SHA512_V2', ORDER, PARAMETERS, plain)).toBe(true);
  expect(isGenuine(SECRET, 'HMAC_SHA512_V2', ORDER, `${PARAMETERS}A`, SIGNATURE)).toBe(false);
  expect(isGenuine(SECRET, 'HMAC_SHA512_V2', '1234567891', PARAMETERS, SIGNATURE)).toBe(false);
  expect(isGenuine(`x${SECRET}`, 'HMAC_SHA512_V2', ORDER, PARAMETERS, SIGNATURE)).toBe(false);
  expect(isGenuine(SECRET, 'HMAC_SHA512_V2', ORDER, PARAMETERS, '')).toBe(false);
  expect(isGenuine(SECRET, 'HMAC_SHA256_V1', ORDER, PARAMETERS, SIGNATURE)).toBe(false);
  expect(isGenuine(SECRET, 'NONE', ORDER, PARAMETERS, SIGNATURE)).toBe(false);
});

it('the older HMAC_SHA256_V1 signature is accepted too', () => {
  const parameters = 'eyJEU19NRVJDSEFOVF9BTU9VTlQiOiI5OTkiLCJEU19NRVJDSEFOVF9PUkRFUiI6IjEyMzQ1Njc4OTAxMiJ9';
  const signature = 'BPEXSazbBJ6gjbF6vxi9jF/PGpZsr4BSXHV2qf39fD0=';
  expect(isGenuine(SECRET, 'HMAC_SHA256_V1', '123456789012', parameters, signature)).toBe(true);
  expect(isGenuine(SECRET, 'HMAC_SHA256_V1', '123456789013', parameters, signature)).toBe(false);
  expect(isGenuine(SECRET, 'HMAC_SHA512_V2', '123456789012', parameters, signature)).toBe(false);
  // A secret that is not a 3DES key never matches.
  expect(isGenuine('corta pero suficiente', 'HMAC_SHA256_V1', '123456789012', parameters, signature)).toBe(false);
});

import { expect, it } from 'vitest';
import { storedEmail } from '../../contract/text/email.ts';
import { shownEmail } from './email.ts';

it.each([
  ['Ana@Cañadas.es', 'ana@xn--caadas-xwa.es', 'ana@cañadas.es'],
  ['leo@perez-león.es ', 'leo@xn--perez-len-d7a.es', 'leo@perez-león.es'],
  ['ana@ejemplo.es', 'ana@ejemplo.es', 'ana@ejemplo.es'],
  ['puny@xn--caadas-xwa.es', 'puny@xn--caadas-xwa.es', 'puny@cañadas.es'],
  ['info@Correo.Cañadas.es', 'info@correo.xn--caadas-xwa.es', 'info@correo.cañadas.es'],
  // As macOS writes it: «n» and a tilde.
  ['ana@can\u0303adas.es', 'ana@xn--caadas-xwa.es', 'ana@cañadas.es'],
  ['ana@ÑANDÚ-españa.com.es', 'ana@xn--and-espaa-k6ai6h.com.es', 'ana@ñandú-españa.com.es'],
  // No addresses: the check of the form refuses them.
  ['ana@ejemplo..es', 'ana@ejemplo..es', 'ana@ejemplo..es'],
  ['ana@cañadas.es/x', 'ana@cañadas.es/x', 'ana@cañadas.es/x'],
  ['ñoño', 'ñoño', 'ñoño'],
  ['', '', ''],
])('«%s» is stored as «%s» and shown as «%s»', (typed, stored, shown) => {
  expect(storedEmail(typed)).toBe(stored);
  expect(shownEmail(stored)).toBe(shown);
});

import { expect, test } from 'vitest';
import { CLIENTE_VACIO } from './cliente-fields.tsx';
import { compara } from './conflict.ts';

const base = { ...CLIENTE_VACIO, cliente_nombre: 'Ana', cliente_ciudad: 'Toledo', instrucciones: 'Portería' };
const always = () => true;

test('what only somebody else changed is taken, and shown', () => {
  const { values, diferencias } = compara(base, base, { ...base, cliente_ciudad: 'Madrid' }, always);
  expect(values.cliente_ciudad).toBe('Madrid');
  expect(diferencias).toEqual([{ campo: 'cliente_ciudad', mio: 'Toledo', guardado: 'Madrid', escrito: false }]);
});

test('what was typed stays until the person decides', () => {
  const mine = { ...base, cliente_ciudad: 'Segovia' };
  const { values, diferencias } = compara(base, mine, { ...base, cliente_ciudad: 'Madrid' }, always);
  expect(values.cliente_ciudad).toBe('Segovia');
  expect(diferencias).toEqual([{ campo: 'cliente_ciudad', mio: 'Segovia', guardado: 'Madrid', escrito: true }]);
});

test('the same change by both is no difference, nor are spaces around it', () => {
  const { diferencias } = compara(base, { ...base, cliente_ciudad: ' Madrid ' }, { ...base, cliente_ciudad: 'Madrid' }, always);
  expect(diferencias).toEqual([]);
});

test('what only this person changed is kept, and is no difference', () => {
  const { values, diferencias } = compara(base, { ...base, instrucciones: 'Mías' }, { ...base, cliente_nombre: 'Ana' }, always);
  expect(values.instrucciones).toBe('Mías');
  expect(diferencias).toEqual([]);
});

test('a field that may no longer change goes back to what is stored, and what was typed is shown', () => {
  const mine = { ...base, cliente_ciudad: 'Segovia', instrucciones: 'Mías' };
  const { values, diferencias } = compara(base, mine, base, (campo) => campo === 'instrucciones');
  expect(values).toMatchObject({ cliente_ciudad: 'Toledo', instrucciones: 'Mías' });
  expect(diferencias).toEqual([{ campo: 'cliente_ciudad', mio: 'Segovia', guardado: 'Toledo', escrito: true }]);
});

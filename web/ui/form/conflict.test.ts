import { expect, test } from 'vitest';
import { mergeValues } from './conflict.ts';

const base = { cliente_nombre: 'Ana', cliente_ciudad: 'Toledo', instrucciones: 'Portería' };
const always = () => true;

test('a field that only another person changed takes the stored value, and is shown', () => {
  const { values, differences } = mergeValues(base, base, { ...base, cliente_ciudad: 'Madrid' }, always);
  expect(values.cliente_ciudad).toBe('Madrid');
  expect(differences).toEqual([{ field: 'cliente_ciudad', mine: 'Toledo', stored: 'Madrid', typed: false }]);
});

test('text typed in a conflicting field stays until the person decides', () => {
  const mine = { ...base, cliente_ciudad: 'Segovia' };
  const { values, differences } = mergeValues(base, mine, { ...base, cliente_ciudad: 'Madrid' }, always);
  expect(values.cliente_ciudad).toBe('Segovia');
  expect(differences).toEqual([{ field: 'cliente_ciudad', mine: 'Segovia', stored: 'Madrid', typed: true }]);
});

test('equal changes by two people are no conflict, and surrounding spaces do not count', () => {
  const { differences } = mergeValues(base, { ...base, cliente_ciudad: ' Madrid ' }, { ...base, cliente_ciudad: 'Madrid' }, always);
  expect(differences).toEqual([]);
});

test('a field that only the person at the form changed is kept, and is no conflict', () => {
  const { values, differences } = mergeValues(base, { ...base, instrucciones: 'Mías' }, { ...base, cliente_nombre: 'Ana' }, always);
  expect(values.instrucciones).toBe('Mías');
  expect(differences).toEqual([]);
});

test('a field that is no longer editable takes the stored value, and the typed value is shown', () => {
  const mine = { ...base, cliente_ciudad: 'Segovia', instrucciones: 'Mías' };
  const { values, differences } = mergeValues(base, mine, base, (field) => field === 'instrucciones');
  expect(values).toMatchObject({ cliente_ciudad: 'Toledo', instrucciones: 'Mías' });
  expect(differences).toEqual([{ field: 'cliente_ciudad', mine: 'Segovia', stored: 'Toledo', typed: true }]);
});

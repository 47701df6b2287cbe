import { expect, it } from 'vitest';
import { mailDigest, mailPage, withOrigin } from './template.ts';

const page = mailPage({ companyName: 'Aceites' }, { asunto: 'Pedido', texto: 'Hola: {{origin}}', enlace: '/pedidos?a=1&b=2' });

it('a mail leads to the address that others open', () => {
  expect(withOrigin(page.texto, 'https://tienda.es')).toContain('Ver en Enruta: https://tienda.es/pedidos?a=1&b=2');
  expect(withOrigin(page.html, 'https://tienda.es')).toContain('<a href="https://tienda.es/pedidos?a=1&#38;b=2"');
});

it('without such an address a mail has no link, and loses nothing else', () => {
  const { texto, html } = mailDigest([{ asunto: 'Uno', ...page }]);
  expect(withOrigin(page.texto, undefined)).toBe('Hola: {{origin}}\n\n— Aceites');
  for (const shown of [texto, html, page.html].map((text) => withOrigin(text, undefined))) {
    expect(shown).not.toMatch(/Ver en Enruta|<a /);
    expect(shown).toMatch(/Pedido|Uno|Hola/);
  }
});

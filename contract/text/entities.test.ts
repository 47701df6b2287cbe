import { expect, it } from 'vitest';
import { withoutEntities } from './entities.ts';

it.each([
  ['Pan &amp; Vino', 'Pan & Vino'],
  ['L&apos;Hospitalet, n&ordm;&nbsp;5', "L'Hospitalet, nº 5"],
  // Escaped twice, and once more than a shop does.
  ['&amp;eacute;', 'é'],
  ['&amp;amp;lt;', '&lt;'],
  ['Mu&ntilde;oz, MU&NTILDE;OZ', 'Muñoz, MUÑOZ'],
  ['&aacute;&agrave;&acirc;&auml;&aring;&ccedil;&scaron;', 'áàâäåçš'],
  ['&#241; &#xF1; &#Xf1; &#x1F381;', 'ñ ñ ñ 🎁'],
  // Control characters, halves of characters and numbers beyond the last are none.
  ['&#31; &#32; &#33;', '&#31;   !'],
  ['&#xD7FF; &#xD800; &#xDFFF; &#xE000;', '\ud7ff &#xD800; &#xDFFF; \ue000'],
  ['&#x10FFFF; &#x110000;', '\u{10ffff} &#x110000;'],
  ['&foo; &amp', '&foo; &amp'],
  ['sin nada', 'sin nada'],
])('«%s» is read as «%s»', (written, read) => expect(withoutEntities(written)).toBe(read));

/* Compares names of packs and of customers by their words. */

/** Lower-case words of a text, without accents and punctuation. Figures are separate words: «Address1» has two. */
export const plainWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .match(/\p{L}+|\p{N}+/gu) ?? [];

/** Text without accents, case, spaces or punctuation: «N.º» equals «no», «C. P.» equals «cp». */
export const bareText = (text: string): string => plainWords(text).join('');

const LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** Returns a NIF without separators and in capitals; the country prefix «ES» is left out. */
export const plainNif = (value: string): string =>
  value
    .toUpperCase()
    .replace(/[\s.\-–/]/g, '')
    .replace(/^ES(?=[A-Z0-9]{9}$)/, '');

/** True if the control character of a Spanish NIF is right, of a person (DNI, NIE, K, L, M) or of an organisation. */
export function isNif(value: string): boolean {
  const nif = plainNif(value);
  const person = /^([XYZKLM]?)(\d{7,8})([A-Z])$/.exec(nif);
  if (person) {
    const [, mark = '', digits = '', control] = person;
    if ((mark === '') !== (digits.length === 8)) return false;
    const number = Number(`${Math.max(0, 'XYZ'.indexOf(mark))}${digits}`);
    return LETTERS[number % 23] === control;
  }
  const [, kind = '', digits = '', control = ''] = /^([ABCDEFGHJNPQRSUVW])(\d{7})([0-9A-J])$/.exec(nif) ?? [];
  if (!kind) return false;
  const sum = [...digits].reduce((all, digit, i) => all + (i % 2 === 1 ? Number(digit) : doubled(Number(digit))), 0);
  const check = (10 - (sum % 10)) % 10;
  const letter = 'JABCDEFGHI'[check];
  if ('NPQRSW'.includes(kind)) return control === letter;
  return 'ABEH'.includes(kind) ? control === String(check) : control === letter || control === String(check);
}

const doubled = (digit: number) => Math.floor((digit * 2) / 10) + ((digit * 2) % 10);

/** Digits with country prefix for wa.me; empty if it cannot be a phone number. */
export function whatsappNumber(phone: string | null | undefined): string {
  const digits = (phone ?? '').replace(/\D/g, '').replace(/^00/, '');
  if (/^[6-9]\d{8}$/.test(digits)) return `34${digits}`;
  return /^[1-9]\d{9,14}$/.test(digits) ? digits : '';
}

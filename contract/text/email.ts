/** Returns an e-mail address as stored and sent: lower case, the domain in ASCII (RFC 5890). Texts that are no address stay. */
export function storedEmail(text: string): string {
  const [, local = '', domain = ''] = /^(.*)@([\p{L}\p{M}\p{N}.-]+)$/u.exec(text.trim().toLowerCase()) ?? [];
  const ascii = /^[a-z0-9.-]*$/.test(domain) ? domain : asciiOf(domain);
  return local && ascii ? `${local}@${ascii}` : text.trim().toLowerCase();
}

function asciiOf(domain: string): string | undefined {
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return undefined;
  }
}

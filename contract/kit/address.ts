/** Returns the URL of an endpoint with these parameters; leaves out empty query values. */
export function addressOf(path: string, { params = {}, query = {} }: { params?: object; query?: object }): string {
  const values = new Map<string, unknown>(Object.entries(params));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return search.size ? `${filled}?${search}` : filled;
}

import type { Topic } from '../../contract/live.ts';

/** What each topic of the live stream makes stale, by the address it was read from. */
export const CONCERNS: Record<Topic, RegExp> = {
  pedidos: /^\/api\/(pedidos|transportista|stats)\b/,
  products: /^\/api\/(products|product-packs|packs|stats\/atencion)\b/,
  users: /^\/api\/(users|stats\/admin)\b/,
  audit: /^\/api\/(audit-logs|logs)\b/,
  notifications: /^\/api\/notifications\b/,
  settings: /^\/api\/(settings|push)\b/,
  exports: /^\/api\/exports\b/,
  backups: /^\/api\/copias\b/,
};

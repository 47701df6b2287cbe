import { type Actor, ROLES } from '../../contract/policy/policy.ts';
import type { ShownSettings } from '../../contract/settings/settings.ts';
import { audit } from '../audit/audit.ts';
import { type Db, transact } from '../db/open.ts';
import { invalid, notFound } from '../kit/errors.ts';
import { checkedPicture, isWholePicture } from '../kit/picture.ts';
import { emit } from '../live/emit.ts';
import { showSettings } from './settings.ts';

/** Returns the logo and its media type. Throws 404 without a logo. */
export async function readLogo(db: Db): Promise<{ content: Uint8Array; type: 'image/png' | 'image/jpeg' }> {
  const { content } = await db
    .selectFrom('logo_empresa')
    .select('content')
    .executeTakeFirstOrThrow(() => notFound());
  return { content, type: content[0] === 0x89 ? 'image/png' : 'image/jpeg' };
}

/** Sets the logo (JPEG or PNG in base64), or removes it (null). Throws 422 for any other format (an SVG could run scripts) and for a picture that is cut off. */
export async function setLogo(db: Db, actor: Actor, logo: string | null): Promise<ShownSettings> {
  const content = logo === null ? null : checkedPicture('logo', logo, ['jpg', 'png']);
  if (content && !isWholePicture(content)) throw invalid('logo', 'La imagen está incompleta: elige otra vez el archivo');
  return transact(db, async (tx) => {
    await tx.deleteFrom('logo_empresa').execute();
    if (content) await tx.insertInto('logo_empresa').values({ content }).execute();
    await audit(tx, actor, {
      type: 'configuracion',
      action: 'update',
      entity_type: 'settings',
      description: content ? 'Logo cambiado' : 'Logo quitado',
    });
    emit(tx, { topic: 'settings', roles: ROLES });
    return showSettings(tx);
  });
}

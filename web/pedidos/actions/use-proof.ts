import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import type { BodyIn } from '../../../contract/kit/endpoint.ts';
import type { setEstado } from '../../../contract/pedidos/pedidos.ts';
import { can } from '../../../contract/policy/policy.ts';
import type { FormaEntrega, Relacion } from '../../../contract/pruebas/fields.ts';
import { missingProofs } from '../../../contract/pruebas/pruebas.ts';
import { getUser } from '../../../contract/session/session.ts';
import { useApi } from '../../api.ts';
import { newKey } from '../../keys.ts';
import { deliveryRules, useSession } from '../../session/session.ts';
import { focusFirst } from '../../ui/form/form-actions.tsx';
import type { ProofFile } from './send-proof.ts';
import { parseStrokes, signaturePicture } from './strokes.ts';

export type ProofValues = {
  forma_entrega: FormaEntrega | null;
  receptor_nombre: string;
  receptor_relacion: Relacion | null;
  pin: string;
  motivo: string;
  /** Strokes as JSON. */
  firma: string;
  /** Data URL of a JPEG. */
  foto: string;
};
export const NO_PROOF: ProofValues = {
  forma_entrega: null,
  receptor_nombre: '',
  receptor_relacion: null,
  pin: '',
  motivo: '',
  firma: '',
  foto: '',
};
export type ProofForm = UseFormReturnType<ProofValues>;
const INSECURE = 'Firmas y fotos necesitan que Enruta se abra con https: pídeselo a quien lleva el servidor';
type Proved = Partial<BodyIn<typeof setEstado>>;

/** Rules for proof of delivery; undefined in a shop without proof. */
export function useReglas() {
  const { data } = useApi(getUser, {}, { staleTime: 60_000 });
  return data ? data.negocio.entrega : deliveryRules();
}

/** Proof of delivery in the form that completes an order; `reglas` is undefined in a shop without proof. `damaged` always allows a photo. */
export function useProof<V extends ProofValues>(parent: UseFormReturnType<V>, damaged = false) {
  // Setters of a form with more fields accept more names, so their type differs.
  const form = parent as unknown as ProofForm;
  const actor = useSession();
  const reglas = useReglas();
  const required = !can(actor, 'pedido:without-proof');
  const [preparing, onPreparing] = useState(false);

  /** Calls `then` with the proof for the request and the files to send afterwards. If the proof is incomplete, shows errors instead. */
  async function prove(then: (proof: Proved, files: readonly ProofFile[]) => void): Promise<void> {
    if (!reglas) return then({}, []);
    const { firma, foto, receptor_nombre, pin, motivo, forma_entrega, receptor_relacion } = form.values;
    const asked = (what: 'firma' | 'foto') => forma_entrega !== null && (reglas[forma_entrega][what] ?? 'no') !== 'no';
    const drawn = asked('firma') && parseStrokes(firma).length > 0;
    const taken = (asked('foto') || damaged) && foto !== '';
    const proof = {
      forma_entrega,
      receptor_nombre: receptor_nombre.trim() || null,
      receptor_relacion: forma_entrega === 'otra_persona' ? receptor_relacion : null,
      pin: pin.trim() || null,
      motivo: motivo.trim() || null,
    };
    const pruebas = [...(drawn ? [{ tipo: 'firma' as const }] : []), ...(taken ? [{ tipo: 'foto' as const }] : [])];
    // Accepts any reason to deliver without a PIN: only the server knows how many PIN attempts are left.
    const problems = required
      ? missingProofs(reglas, { ...proof, pruebas }, { fallos: proof.motivo ? Number.POSITIVE_INFINITY : 0, tienePin: true })
      : {};
    // Browsers offer `crypto.subtle`, which hashes the files, on secure pages only.
    if ((drawn || taken) && !window.isSecureContext) problems[drawn ? 'firma' : 'foto'] = INSECURE;
    form.setErrors({ ...form.errors, ...problems });
    if (Object.keys(problems).length) return void focusFirst(form, problems);
    const files = await proofFiles(drawn ? firma : '', taken ? foto : '');
    then({ ...proof, pruebas: files.map(({ tipo, sha256 }) => ({ tipo, sha256 })) }, files);
  }
  return { form, reglas, required, prove, preparing, onPreparing };
}

/** Files of a signature (strokes as JSON) and a photo (data URL); skips an empty one. */
export async function proofFiles(firma: string, foto: string): Promise<ProofFile[]> {
  const files: ProofFile[] = [];
  if (firma) files.push(await withHash('firma', await signaturePicture(parseStrokes(firma))));
  // Decoded by hand: the content security policy refuses `fetch` of a data URL.
  if (foto)
    files.push(
      await withHash('foto', new Blob([Uint8Array.from(atob(foto.split(',')[1] ?? ''), (c) => c.charCodeAt(0))], { type: 'image/jpeg' })),
    );
  return files;
}

async function withHash(tipo: ProofFile['tipo'], blob: Blob): Promise<ProofFile> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
  const sha256 = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { tipo, sha256, blob, key: newKey() };
}

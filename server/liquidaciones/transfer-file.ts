import type { Answer, QueryOut } from '../../contract/kit/endpoint.ts';
import { mesEnPalabras } from '../../contract/liquidaciones/fields.ts';
import type { ficheroTransferencias } from '../../contract/liquidaciones/liquidaciones.ts';
import type { Db } from '../db/open.ts';
import { selectStatements, toLiquidacion } from '../ganancias/statements.ts';
import { bankText, isBankName } from '../kit/bank.ts';
import { conflict, DomainError, invalid, notFound } from '../kit/errors.ts';
import { accountHolder, readSettings } from '../settings/settings.ts';
import { isPast } from '../settings/zone.ts';

const MAX_NAME = 70;
const MAX_TEXT = 140;
const MAX_ID = 35;

type Transfer = { numero: string; mes: string; nombre: string; iban: string; euros: string };

type TransferFile = Answer<typeof ficheroTransferencias>['data'];
/** Returns unpaid statements as SEPA transfers. Throws 404, 409 if paid, 422 for a past day or a business without name or account. */
export async function writeTransferFile(db: Db, { ids, fecha }: QueryOut<typeof ficheroTransferencias>): Promise<TransferFile> {
  if (await isPast(db, fecha)) throw invalid('fecha', 'El banco no hace transferencias en un día pasado');
  const wanted = [...new Set(ids)];
  const rows = await selectStatements(db)
    .innerJoin('users as payee', 'payee.id', 'l.user_id')
    // The current name: a statement keeps the name of its month.
    .select(['payee.iban', 'payee.titular', 'payee.full_name'])
    .where('l.id', 'in', wanted)
    .orderBy('l.numero')
    .execute();
  if (rows.length < wanted.length) throw notFound();
  const statements = rows.map((row) => ({
    ...toLiquidacion(row),
    iban: row.iban,
    titular: row.titular,
    nombre: row.titular ?? row.full_name,
  }));
  const paid = statements.find(({ pagada_el }) => pagada_el);
  if (paid) throw conflict(`La liquidación ${paid.numero} ya está pagada`, 'already_paid');
  const settings = await readSettings(db);
  const { companyName, companyIban, companyBic, companyHolder } = settings;
  const holder = accountHolder(settings);
  if (!holder || !companyIban) throw new DomainError(422, 'Faltan el nombre o el IBAN de la empresa: escríbelos en Configuración');
  if (!isBankName(holder))
    throw new DomainError(422, 'El banco no admite las letras del titular de la cuenta: escríbelo con letras latinas en Configuración');
  const transfers: (Transfer & { id: string })[] = [];
  const fuera: TransferFile['fuera'][number][] = [];
  for (const { id, numero, mes, user_id, persona_nombre, total, iban, nombre } of statements) {
    const motivo = total <= 0 ? 'total' : iban ? 'nombre' : 'sin_iban';
    if (total > 0 && iban && isBankName(nombre)) transfers.push({ id, numero, mes, nombre, iban, euros: total.toFixed(2) });
    else fuera.push({ id, numero, user_id, persona_nombre, total, motivo });
  }
  const payer = { now: new Date(), fecha, nombre: holder, iban: companyIban.replace(/\s/g, '').toUpperCase(), bic: companyBic };
  const unnamed = statements.filter(({ id, titular }) => !titular && transfers.some((transfer) => transfer.id === id));
  return {
    nombre: `transferencias-${fecha}.xml`,
    contenido: transfers.length ? documentOf(transfers, payer) : null,
    incluidas: transfers.map(({ id }) => id),
    total: centsOf(transfers) / 100,
    fuera,
    sin_titular: [...new Set([...(companyHolder ? [] : [companyName]), ...unnamed.map(({ nombre }) => nombre)])],
  };
}

const centsOf = (transfers: readonly Transfer[]) => transfers.reduce((sum, { euros }) => sum + Math.round(Number(euros) * 100), 0);

type Payer = { now: Date; fecha: string; nombre: string; iban: string; bic: string };

// Needs no XML escaping: of the characters that `bankText` leaves, only the apostrophe is special, and not in element content.
function documentOf(transfers: readonly Transfer[], { now, fecha, nombre, iban, bic }: Payer): string {
  const sums = `<NbOfTxs>${transfers.length}</NbOfTxs><CtrlSum>${(centsOf(transfers) / 100).toFixed(2)}</CtrlSum>`;
  const id = `ENRUTA-${now.toISOString().replace(/\D/g, '')}`.slice(0, MAX_ID);
  const payer = `<Nm>${bankText(nombre, MAX_NAME)}</Nm>`;
  const agent = bic ? `<BICFI>${bic.toUpperCase()}</BICFI>` : '<Othr><Id>NOTPROVIDED</Id></Othr>';
  const lines = transfers.map(
    (transfer) => `
      <CdtTrfTxInf>
        <PmtId><EndToEndId>${bankText(transfer.numero, MAX_ID)}</EndToEndId></PmtId>
        <Amt><InstdAmt Ccy="EUR">${transfer.euros}</InstdAmt></Amt>
        <Cdtr><Nm>${bankText(transfer.nombre, MAX_NAME)}</Nm></Cdtr>
        <CdtrAcct><Id><IBAN>${transfer.iban}</IBAN></Id></CdtrAcct>
        <RmtInf><Ustrd>${bankText(`Liquidación ${transfer.numero}, ${mesEnPalabras(transfer.mes)}`, MAX_TEXT)}</Ustrd></RmtInf>
      </CdtTrfTxInf>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">
  <CstmrCdtTrfInitn>
    <GrpHdr><MsgId>${id}</MsgId><CreDtTm>${now.toISOString().slice(0, 19)}</CreDtTm>${sums}<InitgPty>${payer}</InitgPty></GrpHdr>
    <PmtInf>
      <PmtInfId>${id}</PmtInfId><PmtMtd>TRF</PmtMtd>${sums}
      <PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>
      <ReqdExctnDt><Dt>${fecha}</Dt></ReqdExctnDt>
      <Dbtr>${payer}</Dbtr>
      <DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct>
      <DbtrAgt><FinInstnId>${agent}</FinInstnId></DbtrAgt>
      <ChrgBr>SLEV</ChrgBr>${lines.join('')}
    </PmtInf>
  </CstmrCdtTrfInitn>
</Document>
`;
}

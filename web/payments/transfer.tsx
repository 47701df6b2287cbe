import { Text } from '@mantine/core';
import type { PagoPublico } from '../../contract/pagar/pagar.ts';
import { ibanInFours } from '../../contract/text/iban.ts';
import { CopyButton, copyOr } from '../ui/page/copy-button.tsx';
import { Section } from '../ui/page/section.tsx';
import { AnnounceTransfer } from './announce-transfer.tsx';
import classes from './pagar.module.css';
import { Qr } from './qr.tsx';

type Props = { pago: PagoPublico; token: string };

/** Details of the bank transfer, to copy or scan. */
export function Transfer({ pago, token }: Props) {
  const { transferencia: details, empresa, numero_orden } = pago;
  return (
    <Section title="Transferencia bancaria" className={classes.block}>
      {details ? (
        <>
          <dl className={classes.facts}>
            <Detail label="Beneficiario" value={details.beneficiario} />
            <Detail label="IBAN" value={ibanInFours(details.iban)} copy={details.iban} />
            {details.bic && <Detail label="BIC" value={details.bic} />}
            <Detail label="Concepto" value={details.concepto} copy={details.concepto} />
          </dl>
          <Qr text={details.epc} name={`QR ${numero_orden}`} />
          <Text size="sm" c="dimmed">
            Escribe el concepto tal cual: así sabremos que el pago es de este pedido. Una transferencia normal tarda uno o dos días
            laborables; una inmediata, unos segundos.
          </Text>
          <AnnounceTransfer token={token} announced={pago.transferencia_avisada} until={pago.transferencia_hasta} empresa={empresa} />
        </>
      ) : (
        <Text mt="xs">Todavía no hay una cuenta a la que hacer la transferencia. Pide a {empresa} los datos para pagar.</Text>
      )}
    </Section>
  );
}

type Copied = { label: string; value: string; copy?: string };

const Detail = ({ label, value, copy }: Copied) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <span className={classes.value}>{value}</span>
      {copy && <CopyDatum name={label} text={copy} />}
    </dd>
  </div>
);

/** Button that copies one value of a transfer, such as the amount. */
export function CopyDatum({ name, text }: { name: string; text: string }) {
  // Abbreviations keep their capitals.
  const words = /^[A-Z]+$/.test(name) ? name : name.toLowerCase();
  return (
    <CopyButton copy={() => copyOr(text, `No se pudo copiar: ${name}`)} size="xs" className={classes.copy ?? ''}>
      {`Copiar ${words}`}
    </CopyButton>
  );
}

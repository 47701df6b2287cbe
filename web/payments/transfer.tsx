import { Button, Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { PagoPublico } from '../../contract/payments.ts';
import { money } from '../ui/format/format.ts';
import { copyText } from '../ui/page/copy.ts';
import { Section } from '../ui/page/section.tsx';
import { toast } from '../ui/page/toast.tsx';
import { AnnounceTransfer } from './announce-transfer.tsx';
import { ibanInFours } from './iban.ts';
import classes from './pagar.module.css';

type Props = { pago: PagoPublico; token: string };

/** Shows the details of the bank transfer, to copy or scan. */
export function Transfer({ pago, token }: Props) {
  const { transferencia: details, empresa, pendiente } = pago;
  return (
    <Section title="Transferencia bancaria" className={classes.block}>
      {details ? (
        <>
          <dl className={classes.facts}>
            <Detail label="Beneficiario" value={details.beneficiario} />
            <Detail label="IBAN" value={ibanInFours(details.iban)} copy={details.iban} />
            {details.bic && <Detail label="BIC" value={details.bic} />}
            <Detail label="Importe" value={money(pendiente)} />
            <Detail label="Concepto" value={details.concepto} copy={details.concepto} />
          </dl>
          <Qr text={details.epc} />
          <Text size="sm" c="dimmed">
            Escribe el concepto tal cual: así sabremos que el pago es de este pedido. Una transferencia normal tarda uno o dos días
            laborables; una inmediata, unos segundos.
          </Text>
          <AnnounceTransfer token={token} announced={pago.transferencia_avisada} empresa={empresa} />
        </>
      ) : (
        <Text mt="xs">Todavía no hay una cuenta a la que hacer la transferencia. Pide a {empresa} los datos para pagar.</Text>
      )}
    </Section>
  );
}

function Detail({ label, value, copy }: { label: string; value: string; copy?: string }) {
  async function onCopy() {
    if (copy && (await copyText(copy))) toast.success(`${label} copiado`);
    else toast.error(`No se pudo copiar: ${label}`);
  }
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span className={classes.value}>{value}</span>
        {copy && (
          <Button
            variant="default"
            size="xs"
            className={classes.copy}
            classNames={{ label: classes.copyLabel, section: classes.copyIcon }}
            leftSection={<IconCopy size={14} aria-hidden />}
            aria-label={`Copiar ${label}`}
            onClick={() => void onCopy()}
          >
            Copiar
          </Button>
        )}
      </dd>
    </div>
  );
}

/** The QR code that banking apps read (EPC069-12 requires error correction level M). */
function Qr({ text }: { text: string }) {
  const [image, setImage] = useState<string>();
  useEffect(() => {
    let left = false;
    import('qrcode')
      .then((qr) => qr.toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 }))
      .then(
        (svg) => left || setImage(`data:image/svg+xml,${encodeURIComponent(svg)}`),
        // Without the code, the details can still be copied.
        () => {},
      );
    return () => {
      left = true;
    };
  }, [text]);
  return (
    <figure className={classes.qr}>
      {image ? <img src={image} alt="Código QR con los datos de la transferencia" /> : <span className={classes.drawing} />}
      <figcaption>Escanéalo con la app de tu banco y la transferencia se rellena sola.</figcaption>
    </figure>
  );
}

import { Text } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';
import classes from './carga.module.css';

const LOOK_MS = 150;
/** Milliseconds out of sight after which a code counts as a new scan. */
const AGAIN_MS = 2000;

const DENIED = 'No hay permiso para la cámara: dalo en los ajustes del navegador, o escribe las últimas cuatro cifras.';
const NONE = 'Aquí no hay cámara que lea códigos: usa la pistola o escribe las últimas cuatro cifras.';
const MAX_FAILURES = 20;

/** Shows the camera's picture, and reports each QR code held before the camera once. */
export default function Camera({ onCode }: { onCode: (code: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<string>();
  const onNew = useEffectEvent(onCode);
  useEffect(() => {
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let live = true;
    let last = { code: '', at: 0 };
    let failures = 0;
    const fail = (error: unknown) => {
      if (stream) stop(stream);
      if (live) setProblem(error instanceof DOMException && error.name === 'NotAllowedError' ? DENIED : NONE);
    };

    async function start(screen: HTMLVideoElement): Promise<void> {
      const camera = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      if (!live) return stop(camera);
      stream = camera;
      screen.srcObject = camera;
      await screen.play();
      const detector = await createDetector();
      async function look(): Promise<void> {
        // Single frames may fail; a reader that fails on every frame is broken.
        const seen = await detector.detect(screen).catch(() => undefined);
        failures = seen ? 0 : failures + 1;
        if (failures === MAX_FAILURES) throw new Error('no frame can be read');
        const [found] = seen ?? [];
        const now = Date.now();
        if (!live) return;
        if (found) {
          const isNew = found.rawValue !== last.code || now - last.at > AGAIN_MS;
          last = { code: found.rawValue, at: now };
          if (isNew) onNew(found.rawValue);
        }
        timer = setTimeout(() => void look().catch(fail), LOOK_MS);
      }
      await look();
    }
    if (video.current) start(video.current).catch(fail);
    return () => {
      live = false;
      clearTimeout(timer);
      if (stream) stop(stream);
    };
  }, []);
  if (problem) return <Text c="dimmed">{problem}</Text>;
  return <video ref={video} className={classes.camera} muted playsInline aria-label="Cámara: acerca el código QR de la etiqueta" />;
}

const stop = (stream: MediaStream): void => {
  for (const track of stream.getTracks()) track.stop();
};

type Detector = { detect: (image: HTMLVideoElement) => Promise<readonly { rawValue: string }[]> };
type Native = { new (options: { formats: string[] }): Detector; getSupportedFormats: () => Promise<readonly string[]> };

const QR = { formats: ['qr_code'] };

/** The browser's own QR code reader, else the polyfill `barcode-detector`, whose WebAssembly comes from this server. */
async function createDetector(): Promise<Detector> {
  const { BarcodeDetector: Own } = globalThis as { BarcodeDetector?: Native };
  if ((await Own?.getSupportedFormats())?.includes('qr_code') && Own) return new Own(QR);
  const { BarcodeDetector, prepareZXingModule } = await import('barcode-detector/ponyfill');
  prepareZXingModule({ overrides: { locateFile: () => wasm } });
  return new BarcodeDetector({ formats: ['qr_code'] });
}

import { Button, Group, Text } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import classes from './proof.module.css';
import { drawStrokes, lazyPad, parseStrokes, RATIO, readStrokes, signaturePen } from './strokes.ts';

type Props = { value: string; onChange: (value: string) => void; onDone: () => void };

/** Surface to sign on. Saves all strokes after each stroke, and redraws the strokes after a resize, which clears the canvas. */
export default function SignatureSurface({ value, onChange, onDone }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const clear = useRef<() => void>(null);
  const latest = useRef(value);
  const change = useEffectEvent((strokes: string) => {
    latest.current = strokes;
    onChange(strokes);
  });
  useEffect(() => {
    const surface = canvas.current;
    if (!surface) return;
    let stop = () => {};
    let gone = false;
    void lazyPad().then((Pad) => {
      if (gone) return;
      const pad = new Pad(surface, { backgroundColor: '#fff', throttle: 0 });
      const redraw = () => {
        const { width } = surface.getBoundingClientRect();
        if (!width) return;
        surface.width = width * devicePixelRatio;
        surface.height = width * RATIO * devicePixelRatio;
        surface.getContext('2d')?.scale(devicePixelRatio, devicePixelRatio);
        Object.assign(pad, signaturePen(width));
        pad.clear();
        drawStrokes(pad, parseStrokes(latest.current), width);
      };
      redraw();
      pad.addEventListener('endStroke', () => change(JSON.stringify(readStrokes(pad, surface.getBoundingClientRect().width))));
      const resized = new ResizeObserver(redraw);
      resized.observe(surface);
      clear.current = () => {
        pad.clear();
        change('');
      };
      stop = () => {
        resized.disconnect();
        pad.off();
      };
    });
    return () => {
      gone = true;
      stop();
    };
  }, []);
  return (
    <div className={classes.sheet}>
      <Text>Firma con el dedo dentro del recuadro.</Text>
      <canvas ref={canvas} className={classes.canvas} role="img" aria-label="Recuadro para firmar" />
      <Group justify="flex-end">
        <Button variant="default" mih={48} onClick={() => clear.current?.()}>
          Borrar
        </Button>
        <Button mih={48} onClick={onDone} disabled={!value}>
          Aceptar firma
        </Button>
      </Group>
    </div>
  );
}

import { Title, type TitleProps } from '@mantine/core';
import { type ReactNode, useId } from 'react';

type Props = Pick<TitleProps, 'order' | 'mb'> & { title: string; className?: string | undefined; children: ReactNode };

export function Section({ title, order = 2, mb, className, children }: Props) {
  const id = useId();
  return (
    <section className={className} aria-labelledby={id}>
      <Title order={order} id={id} mb={mb}>
        {title}
      </Title>
      {children}
    </section>
  );
}

import type { Menu as MenuType } from '@mantine/core';
import { cloneElement, type ReactElement, type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import { overlays } from './overlays.ts';

type Target = ReactElement<{ ref?: Ref<HTMLButtonElement>; onClick?: () => void; 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean }>;
type Props = {
  target: Target;
  width?: string | number;
  /** Items, rendered when the menu opens; `from` is the menu's button. */
  children: (Menu: typeof MenuType, from: RefObject<HTMLButtonElement | null>) => ReactNode;
};

/** Button with a menu, which mounts on the first press. */
export function ButtonMenu({ target, ...menu }: Props) {
  const [pressed, setPressed] = useState(false);
  const parts = overlays.useParts(pressed);
  if (parts && pressed) return <Opened Menu={parts.Menu} target={target} {...menu} />;
  return cloneElement(target, { 'aria-haspopup': 'menu', 'aria-expanded': false, onClick: () => setPressed(true) });
}

function Opened({ Menu, target, width, children }: Props & { Menu: typeof MenuType }) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // This button replaces the pressed button, so it takes the focus, and the menu returns the focus to it.
  useEffect(() => {
    button.current?.focus({ preventScroll: true });
    setOpened(true);
  }, []);
  return (
    <Menu {...(width && { width })} withInitialFocusPlaceholder={false} opened={opened} onChange={setOpened}>
      <Menu.Target>{cloneElement(target, { ref: button })}</Menu.Target>
      <Menu.Dropdown>{children(Menu, button)}</Menu.Dropdown>
    </Menu>
  );
}

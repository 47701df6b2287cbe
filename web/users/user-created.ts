import { useEffect, useEffectEvent } from 'react';

/** Window event fired when a user is created, on any screen (specification, section 2.20). */
export const USER_CREATED = 'user-created';

export function announceUserCreated(): void {
  window.dispatchEvent(new CustomEvent(USER_CREATED));
}

export function useUserCreated(listener: () => void): void {
  const onCreated = useEffectEvent(listener);
  useEffect(() => {
    const hear = () => onCreated();
    window.addEventListener(USER_CREATED, hear);
    return () => window.removeEventListener(USER_CREATED, hear);
  }, []);
}

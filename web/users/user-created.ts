import { useWindowEvent } from '@mantine/hooks';

/** Window event after a user is created, on any screen (specification, section 2.20). */
const USER_CREATED = 'user-created';

export const announceUserCreated = () => window.dispatchEvent(new CustomEvent(USER_CREATED));

export const useUserCreated = (listener: () => void) => useWindowEvent(USER_CREATED, listener);

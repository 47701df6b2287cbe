import { post } from '../kit/post.ts';

export type PushRequest = { endpoint: string; headers: Record<string, string>; body: Uint8Array };
/** Returns the push service's status; throws without a response. */
export type Send = (push: PushRequest) => Promise<number>;

export const sendPush: Send = ({ endpoint: url, headers, body }) => post({ url, headers, body });

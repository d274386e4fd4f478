/** Secrets in invite links. They are in the fragment, which a browser never sends. */
import { z } from 'zod';

/** The page of every invite link. */
export const INVITE_PATH = '/invite';

/** An invite of a user: the inviter's account and a secret of 128 bits. */
export const InviteToken = z.base64url().length(43);

/** An invite of the operator: a secret of 128 bits. */
export const OperatorInviteToken = z.base64url().length(22);

/** What lets a person sign up where the operator asks for an invite. */
export const SignUpInvite = z.union([OperatorInviteToken, InviteToken]);

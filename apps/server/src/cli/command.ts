import type { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { Databases } from '../open-databases.ts';
import type { Clock } from '../platform/concurrency/clock.ts';

/** What a command gets besides its arguments. */
export interface CommandContext {
  /** The person who runs the command, for the audit log. */
  operator: string;
  clock: Clock;
  env: Record<string, string | undefined>;
  /** Standard input, for secrets: every user of the machine can see arguments. */
  readInput: () => Promise<string>;
  /** Records in the audit log which account the command is about. */
  about: (account: AccountId) => Promise<void>;
}

/** 0 done, 1 failed, 2 wrong usage. */
export interface Outcome {
  code: 0 | 1 | 2;
  out?: string;
  err?: string;
}

export type PreparedCommand =
  | {
      needs: 'engines';
      /** The text of the audit log entry; undefined for a command that changes nothing and shows nothing personal. */
      audit: string | undefined;
      run: (ctx: Context, commandContext: CommandContext) => Promise<string>;
    }
  /** Runs as the owner of the databases, who may change the schema. Needs no other engine or secret. */
  | { needs: 'databases'; run: (databases: Databases) => Promise<string> }
  /** Works without databases. */
  | { needs: 'nothing'; run: (commandContext: CommandContext) => Promise<Outcome> };

export interface Command {
  /** The command's name (one or two words) and its arguments. */
  usage: string;
  help: string;
  /** Throws `UsageError` before anything is opened. */
  prepare: (args: string[]) => PreparedCommand;
}

export class UsageError extends Error {
  override name = 'UsageError';
}

interface Definition<Args extends unknown[]> {
  usage: string;
  help: string;
  args: z.ZodType<Args, unknown[]>;
  /**
   * `name`: keeps arguments, which name a person, out of the audit log, which outlives the account. It has the account's id.
   * A function returns the arguments that name no person.
   */
  audit?: 'words' | 'name' | ((args: Args) => string);
  run: (ctx: Context, args: Args, commandContext: CommandContext) => Promise<string>;
}

interface OwnerDefinition {
  usage: string;
  help: string;
  run: (databases: Databases) => Promise<string>;
}

interface StandaloneDefinition {
  usage: string;
  help: string;
  run: (commandContext: CommandContext) => Promise<Outcome>;
}

export function define<Args extends unknown[]>({ usage, help, args: schema, audit, run }: Definition<Args>): Command {
  return {
    usage,
    help,
    prepare(args) {
      const parsed = schema.safeParse(args);
      if (!parsed.success) throw new UsageError(z.prettifyError(parsed.error));
      const name = nameOf(usage);
      const describe = (kind: typeof audit): string | undefined => {
        if (typeof kind === 'function') return `${name} ${kind(parsed.data)}`;
        return kind === 'words' ? [name, ...args].join(' ') : kind && name;
      };
      return {
        needs: 'engines',
        audit: describe(audit),
        run: (ctx, commandContext) => run(ctx, parsed.data, commandContext),
      };
    },
  };
}

/** A command that takes no arguments and changes the schema. */
export function defineForOwner({ usage, help, run }: OwnerDefinition): Command {
  return {
    usage,
    help,
    prepare(args) {
      requireNoArguments(args);
      return { needs: 'databases', run };
    },
  };
}

/** A command that takes no arguments and needs none of the engines. */
export function defineStandalone({ usage, help, run }: StandaloneDefinition): Command {
  return {
    usage,
    help,
    prepare(args) {
      requireNoArguments(args);
      return { needs: 'nothing', run };
    },
  };
}

function requireNoArguments(args: string[]): void {
  if (args.length > 0) throw new UsageError('this command takes no arguments');
}

/** The words before the arguments, which are in capitals or brackets. */
export function nameOf(usage: string): string {
  return usage
    .split(' ')
    .filter((word) => /^[a-z][a-z\d-]*$/.test(word))
    .join(' ');
}

/** Replaces control characters, so that text from users can't move the operator's cursor or fake a line. */
export function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}

/** Servers with one safeguard left out. The check that belongs to it must fail. */
import type { Change } from '@dostar/client/testing/change';
import type { SceneName } from './scenes.ts';

interface Variant {
  what: string;
  changes: Change[];
  scene: SceneName;
  /** This check must fail. */
  shows: string;
}

export const VARIANTS: Record<string, Variant> = {
  tolerance: {
    what: '/readyz fails if any engine is down',
    changes: [
      {
        file: 'platform/observability/engines.ts',
        phrase:
          "return outcomes['directory'] === true && ctx.shards.all().some(({ id }) => outcomes[shardEngine(id)]);",
        replacement: 'return Object.values(outcomes).every(Boolean);',
      },
    ],
    scene: 'dead shard',
    shows: 'with a dead shard the balancer keeps every process',
  },
  comparison: {
    what: 'the gateway compares with the shards every 30 s only',
    changes: [
      {
        file: 'features/messaging/mailbox/realtime-gateway.ts',
        phrase: '(ctx.bus.isUp ? undefined : this.compare())',
        replacement: 'undefined',
      },
    ],
    scene: 'no NATS',
    shows: 'without NATS every message arrives within 10 s',
  },
  announcement: {
    what: '/readyz does not say that the process drains',
    changes: [
      {
        file: 'platform/observability/health.ts',
        phrase: '!health.isDraining && ',
        replacement: '',
      },
    ],
    scene: 'draining',
    shows: 'the balancer moves users away before a draining process ends',
  },
  period: {
    what: 'a stopping process does not serve until the balancer has noticed',
    changes: [{ file: 'server.ts', phrase: 'config.DRAIN_SECONDS * 1_000', replacement: '0' }],
    scene: 'draining',
    shows: 'the balancer moves users away before a draining process ends',
  },
};

export const VARIANT_NAMES = Object.keys(VARIANTS);

import * as contract from '@dostar/protocol/contract/device-keys';
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { requireHead } from '../../messaging/mailbox/service.ts';
import { renewDevice } from '../../identity/sessions/service.ts';
import { listDevices, setDeviceName } from './store.ts';

const LIMIT: RateLimit = { name: 'devices', points: 120, perSeconds: 60, scope: 'process' };
/** A store that breaks more often than this has a problem that a new device does not solve. */
const RENEWALS: RateLimit = { name: 'device-renewals', points: 10, perSeconds: 3_600, scope: 'shared' };

export function deviceRoutes(http: Http, ctx: Context): void {
  http.add(contract.listDevices, {
    summary: 'Lists the devices of the account',
    limit: LIMIT,
    async handle({ caller: { account, device } }) {
      const { deviceRev: rev } = await requireHead(ctx, account);
      const devices = await ctx.shards.of(account).query((db) => listDevices(db, account, ctx.clock.now()));
      return { devices: devices.map((row) => ({ ...row, isThis: row.id === device })), rev };
    },
  });
  http.add(contract.renameDevice, {
    summary: 'Renames a device',
    limit: LIMIT,
    async handle({ body: { device, name }, caller: { account } }) {
      const isKnown = await ctx.shards.write(account, (db) => setDeviceName(db, account, device, name));
      if (!isKnown) throw new AppError('not_found');
      return {};
    },
  });
  http.add(contract.renewDevice, {
    summary: 'Gives this session a new device',
    limit: RENEWALS,
    handle: async ({ body, caller }) => ({ device: await renewDevice(ctx, caller, body.device) }),
  });
}

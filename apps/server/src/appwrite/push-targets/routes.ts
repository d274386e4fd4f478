/** Push targets and topics of `/v1`. */
import { AppwriteId } from '@dostar/protocol/appwrite/ids';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { RateLimit } from '../../platform/concurrency/rate-limits.ts';
import { AppwriteError } from '../errors.ts';
import { readParams } from '../http.ts';
import type { AppwriteHttp } from '../http.ts';
import * as models from '../reply-models.ts';
import { writeTime } from '../time.ts';
import { makeUniqueId } from '../../platform/postgres/unique-id.ts';
import { describeAccount, requireCallerSession } from '../accounts/service.ts';
import { addTarget, changeTarget, describeTarget, removeTarget, subscribe, unsubscribe } from './service.ts';

const CHANGES: RateLimit = { name: 'v1-target-changes', points: 60, perSeconds: 60, scope: 'process' };

const Identifier = z.string().min(1).max(2048);
const NewTarget = z.object({
  targetId: AppwriteId.or(z.literal('unique()')),
  identifier: Identifier,
  providerId: AppwriteId.nullish(),
});
const NewIdentifier = NewTarget.pick({ identifier: true });
const NewSubscriber = z.object({ subscriberId: AppwriteId.or(z.literal('unique()')), targetId: AppwriteId });

export function targetRoutes(http: AppwriteHttp, ctx: Context): void {
  const nameOf = (id: string): string => (id === 'unique()' ? makeUniqueId(ctx.clock.now()) : id);

  http.add({
    method: 'POST',
    paths: ['/account/targets/push'],
    auth: 'user',
    docs: {
      summary: 'Creates a push target of this session',
      sdk: 'account.createPushTarget',
      body: NewTarget,
      reply: models.Target,
      errors: ['user_target_already_exists', 'user_session_not_found', 'general_bad_request'],
    },
    status: 201,
    limit: CHANGES,
    async handle({ caller, body }) {
      const { targetId, identifier, providerId } = readParams(NewTarget, body);
      const { id: session } = await requireCallerSession(ctx, caller);
      const wanted = { id: nameOf(targetId), session, identifier, provider: providerId ?? null };
      return describeTarget(await addTarget(ctx, caller.account, wanted), caller.id);
    },
  });
  http.add({
    method: 'PUT',
    paths: ['/account/targets/:target/push'],
    auth: 'user',
    docs: {
      summary: 'Changes a push target',
      sdk: 'account.updatePushTarget',
      body: NewIdentifier,
      reply: models.Target,
      errors: ['user_target_not_found'],
    },
    limit: CHANGES,
    async handle({ caller, params, body }) {
      const { identifier } = readParams(NewIdentifier, body);
      return describeTarget(await changeTarget(ctx, caller.account, params['target'] ?? '', identifier), caller.id);
    },
  });
  http.add({
    method: 'DELETE',
    paths: ['/account/targets/:target/push'],
    auth: 'user',
    docs: {
      summary: 'Deletes a push target',
      sdk: 'account.deletePushTarget',
      reply: 'nothing',
      errors: ['user_target_not_found'],
    },
    limit: CHANGES,
    handle: ({ caller, params }) => removeTarget(ctx, caller.account, params['target'] ?? ''),
  });

  function requireTopic(id: string) {
    const topic = ctx.appwrite.topics.find((each) => each.id === id);
    if (!topic) throw new AppwriteError('topic_not_found');
    return topic;
  }

  http.add({
    method: 'POST',
    paths: ['/messaging/topics/:topic/subscribers'],
    auth: 'user',
    docs: {
      summary: 'Subscribes a target to a topic',
      sdk: 'messaging.createSubscriber',
      body: NewSubscriber,
      reply: models.Subscriber,
      errors: ['topic_not_found', 'user_unauthorized', 'user_target_not_found', 'subscriber_already_exists'],
    },
    status: 201,
    limit: CHANGES,
    async handle({ caller, params, body }) {
      const { subscriberId, targetId } = readParams(NewSubscriber, body);
      const topic = requireTopic(params['topic'] ?? '');
      if (!topic.subscribe.some((role) => caller.roles.includes(role))) throw new AppwriteError('user_unauthorized');
      const wanted = { topic: topic.id, id: nameOf(subscriberId), target: targetId };
      const { subscriber, target } = await subscribe(ctx, caller.account, wanted);
      return {
        $id: subscriber.id,
        $createdAt: writeTime(subscriber.created_at),
        $updatedAt: writeTime(subscriber.created_at),
        targetId: target.id,
        target: describeTarget(target, caller.id),
        userId: caller.id,
        userName: (await describeAccount(ctx, caller.account)).name,
        topicId: topic.id,
        providerType: 'push',
      };
    },
  });
  http.add({
    method: 'DELETE',
    paths: ['/messaging/topics/:topic/subscribers/:subscriber'],
    auth: 'user',
    docs: {
      summary: 'Ends a subscription',
      sdk: 'messaging.deleteSubscriber',
      reply: 'nothing',
      errors: ['topic_not_found', 'subscriber_not_found'],
    },
    limit: CHANGES,
    handle: ({ caller, params }) =>
      unsubscribe(ctx, caller.account, requireTopic(params['topic'] ?? '').id, params['subscriber'] ?? ''),
  });
}

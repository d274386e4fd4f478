import { ID, Messaging } from 'appwrite';
import { expect, refused, same } from './fixture.ts';
import type { Assertion } from './fixture.ts';

const SCOPE = 'general_unauthorized_scope';
const MEMBERS = [
  '$createdAt',
  '$id',
  '$updatedAt',
  'expired',
  'identifier',
  'name',
  'providerId',
  'providerType',
  'userId',
];

export const TARGETS: Assertion[] = [
  {
    number: 28,
    async run({ alice, guest, last }) {
      const wanted = { targetId: ID.unique(), identifier: 'a token', providerId: 'fcm' };
      const target = await alice.account.createPushTarget(wanted);
      same(last().status, 201, 'status');
      same(Object.keys(target).toSorted(), MEMBERS, 'members');
      const { $id, userId, providerType, providerId, identifier, expired } = target;
      same([$id, userId, providerType], [wanted.targetId, alice.user.$id, 'push'], 'whose');
      same([providerId, identifier, expired], ['fcm', 'a token', false], 'what');
      await refused(() => alice.account.createPushTarget(wanted), 409, 'user_target_already_exists');
      const { targets } = await alice.account.get();
      expect(
        targets.some((each) => each.$id === $id),
        'it is listed',
      );
      await refused(() => guest.account.createPushTarget(wanted), 401, SCOPE);
      const changed = await alice.account.updatePushTarget({ targetId: $id, identifier: 'another' });
      same(changed.identifier, 'another', 'changed');
      await alice.account.deletePushTarget({ targetId: $id });
      same(last().status, 204, 'deleted');
    },
  },
  {
    number: 69,
    async run({ alice, bob, guest, last }) {
      const [targetId, subscriberId, topicId] = [ID.unique(), ID.unique(), 'news'];
      await alice.account.createPushTarget({ targetId, identifier: 'a token' });
      const [own, others, nobodys] = [alice, bob, guest].map(({ client }) => new Messaging(client));
      const wanted = { topicId, subscriberId, targetId };
      const subscriber = await own!.createSubscriber(wanted);
      same(last().status, 201, 'status');
      same([subscriber.$id, subscriber.topicId, subscriber.userId], [subscriberId, topicId, alice.user.$id], 'whose');
      same([subscriber.target.$id, subscriber.providerType], [targetId, 'push'], 'its target');
      await refused(() => own!.createSubscriber(wanted), 409, 'subscriber_already_exists');
      const fresh = { ...wanted, subscriberId: ID.unique() };
      await refused(() => own!.createSubscriber({ ...fresh, topicId: 'nope' }), 404, 'topic_not_found');
      await refused(() => own!.createSubscriber({ ...fresh, targetId: 'nope' }), 404, 'user_target_not_found');
      await refused(() => others!.createSubscriber(fresh), 404, 'user_target_not_found');
      await refused(() => nobodys!.createSubscriber(fresh), 401, SCOPE);
      await refused(() => others!.deleteSubscriber({ topicId, subscriberId }), 404, 'subscriber_not_found');
      await own!.deleteSubscriber({ topicId, subscriberId });
      same(last().status, 204, 'deleted');
      await refused(() => own!.deleteSubscriber({ topicId, subscriberId }), 404, 'subscriber_not_found');
      await alice.account.deletePushTarget({ targetId });
    },
  },
];

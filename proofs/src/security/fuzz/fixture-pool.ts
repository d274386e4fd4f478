/** Test accounts that send the inputs. An account whose session an input has ended is replaced. */
import type { TestAccounts } from '../isolation/bodies.ts';
import { makeOpaqueMessages } from '../isolation/test-accounts.ts';
import type { OpaqueMessages } from '../isolation/test-accounts.ts';
import { createTestAccounts } from '../isolation/fixture.ts';
import { createOwnedResources } from './owned-resources.ts';
import type { ResourceFactory, OwnedResources } from './owned-resources.ts';
import type { Random } from './random.ts';
import { makeServicePerson } from './service-person.ts';
import type { AppwritePerson } from './service-person.ts';

export interface Fixture {
  testAccounts: TestAccounts;
  ownedResources: OwnedResources;
  service: AppwritePerson;
  /** IP address from which the input comes. */
  address: string;
}

const FIXTURES = 8;
/** Enough that inputs rarely reach the limits for wrong sessions, which count by address. */
const ADDRESSES = 4_000;

export class FixturePool {
  readonly #factory: ResourceFactory;
  readonly #opaque: OpaqueMessages;
  readonly #people: Omit<Fixture, 'address'>[] = [];
  #turn = 0;
  #replaced = 0;

  private constructor(factory: ResourceFactory, opaque: OpaqueMessages) {
    this.#factory = factory;
    this.#opaque = opaque;
  }

  static async open(factory: ResourceFactory): Promise<FixturePool> {
    const fixturePool = new FixturePool(factory, await makeOpaqueMessages(factory.ctx));
    for (let made = 0; made < FIXTURES; made += 1) {
      const [person, service] = await Promise.all([fixturePool.#makePerson(), makeServicePerson(factory.url)]);
      fixturePool.#people.push({ ...person, service });
    }
    return fixturePool;
  }

  /** Number of inputs that ended a session or a sign-up. */
  get replaced(): number {
    return this.#replaced;
  }

  next(random: Random): Fixture {
    this.#turn = (this.#turn + 1) % FIXTURES;
    return { ...this.#people[this.#turn]!, address: randomIpAddress(random) };
  }

  /** Replaces the accounts that the last `next` returned, because their session has ended. */
  async replace(isService: boolean): Promise<void> {
    const people = this.#people[this.#turn]!;
    if (isService) people.service = await makeServicePerson(this.#factory.url);
    else Object.assign(people, await this.#makePerson());
    this.#replaced += 1;
  }

  async #makePerson(): Promise<Pick<Fixture, 'testAccounts' | 'ownedResources'>> {
    const testAccounts = await createTestAccounts(this.#factory.ctx, this.#opaque);
    return { testAccounts, ownedResources: await createOwnedResources(this.#factory, testAccounts) };
  }

  /** Makes the next call of `next` return the same accounts again. */
  rewind(): void {
    this.#turn = (this.#turn + FIXTURES - 1) % FIXTURES;
  }
}

function randomIpAddress(random: Random): string {
  const number = random.below(ADDRESSES);
  return `203.${number >> 8}.${number & 255}.7`;
}

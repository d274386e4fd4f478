/** The people in whose name inputs are sent. A person whose session an input has ended is replaced. */
import type { Belongings } from '../isolation/bodies.ts';
import { makeOpaqueMessages } from '../isolation/people.ts';
import type { OpaqueMessages } from '../isolation/people.ts';
import { makeBelongings } from '../isolation/scene.ts';
import { makePossessions } from './possessions.ts';
import type { Makers, Possessions } from './possessions.ts';
import type { Random } from './random.ts';
import { makeServicePerson } from './service-person.ts';
import type { AppwritePerson } from './service-person.ts';

export interface Scene {
  belongings: Belongings;
  possessions: Possessions;
  service: AppwritePerson;
  /** From which network the input comes. */
  address: string;
}

const SCENES = 8;
/** Enough that the limits for wrong sessions, which count by address, are rarely met. */
const ADDRESSES = 4_000;

export class Scenes {
  readonly #makers: Makers;
  readonly #opaque: OpaqueMessages;
  readonly #people: Omit<Scene, 'address'>[] = [];
  #turn = 0;
  #replaced = 0;

  private constructor(makers: Makers, opaque: OpaqueMessages) {
    this.#makers = makers;
    this.#opaque = opaque;
  }

  static async open(makers: Makers): Promise<Scenes> {
    const scenes = new Scenes(makers, await makeOpaqueMessages(makers.ctx));
    for (let made = 0; made < SCENES; made += 1) {
      const [person, service] = await Promise.all([scenes.#makePerson(), makeServicePerson(makers.url)]);
      scenes.#people.push({ ...person, service });
    }
    return scenes;
  }

  /** How often an input ended a session or a sign-up. */
  get replaced(): number {
    return this.#replaced;
  }

  next(random: Random): Scene {
    this.#turn = (this.#turn + 1) % SCENES;
    return { ...this.#people[this.#turn]!, address: someAddress(random) };
  }

  /** The people of the last `next` can no longer call what they could: it gives others the next time it is their turn. */
  async replace(isService: boolean): Promise<void> {
    const people = this.#people[this.#turn]!;
    if (isService) people.service = await makeServicePerson(this.#makers.url);
    else Object.assign(people, await this.#makePerson());
    this.#replaced += 1;
  }

  async #makePerson(): Promise<Pick<Scene, 'belongings' | 'possessions'>> {
    const belongings = await makeBelongings(this.#makers.ctx, this.#opaque);
    return { belongings, possessions: await makePossessions(this.#makers, belongings) };
  }

  /** The next `next` gives the same people. */
  rewind(): void {
    this.#turn = (this.#turn + SCENES - 1) % SCENES;
  }
}

function someAddress(random: Random): string {
  const number = random.below(ADDRESSES);
  return `203.${number >> 8}.${number & 255}.7`;
}

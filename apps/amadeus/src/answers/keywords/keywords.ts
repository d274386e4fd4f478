/**
 * Keywords of each topic. A keyword is the beginning of a word, since Kazakh and Russian inflect the end; a keyword
 * that ends with a full stop is a whole word.
 *
 * A group has a weight and alternatives, separated by `|`, which count once together. All keywords of an alternative
 * must be in the question, in any order.
 */
export const TOPICS = ['email', 'google', 'contact', 'message', 'device', 'recovery', 'notifications'] as const;
export type TopicId = (typeof TOPICS)[number];

export type KeywordGroup = readonly [weight: number, alternatives: string];

/** `beyond`: questions about a messenger, or in general, that no tutorial answers. */
export type TopicKeywords = Record<TopicId | 'beyond', readonly KeywordGroup[]>;

/**
 * What people say when they mean a topic, by the beginnings of words: Kazakh and Russian put the rest at the end.
 *
 * A line is a weight and ways to say one thing, which count once however many of them are there. Words of one way stand in
 * any order in the question; a word that ends with a full stop is meant whole.
 */
export const TOPICS = ['email', 'google', 'contact', 'message', 'device', 'recovery', 'notifications'] as const;
export type TopicId = (typeof TOPICS)[number];

export type KeywordGroup = readonly [weight: number, ways: string];

/** `beyond`: questions about a messenger, or in general, that no tutorial answers. */
export type TopicKeywords = Record<TopicId | 'beyond', readonly KeywordGroup[]>;

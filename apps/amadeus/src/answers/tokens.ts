/** Normalises words of questions and tutorials, whichever keyboard they were typed on, and lists stop words. */
import { foldWord, splitWords } from '@dostar/client/fold-words';

/** Words that occur in questions about any topic. */
const STOP_WORDS = new Set(
  splitWords(
    `a an the is are was be been do does did i im me my mine you your it its this that these those to of in on at for from
    with and or but if then so not no yes can could may might will would shall should must have has had how what where
    when why who which there here please want need get got just also very about into by as we they he she his her them
    и в во на с со к ко по о об от до за из у не ни да нет но а или если то же бы ли это эта этот эти тот та те я мне меня
    мой моя мое мои моего моей мы нам вы вас вам ваш он она они его ее их как что где когда почему зачем кто какой какая
    какие можно нужно надо хочу могу может есть быть был была было буду ещё еще уже только очень тут там здесь пожалуйста
    мен менің маған мені сен сіз сіздің біз ол олар бұл осы сол не немен қалай қайда қашан неге неліктен кім қандай қай
    бар жоқ ма ме ба бе па пе ғой да де та те және мен бен пен немесе үшін туралы керек болады бола болса емес деп еді
    өз өзі өзімнің тек өте тағы енді алайда`,
  ).map(normaliseWord),
);

/** The normalised word, with one form for і, which some people type as и and others as ы. */
export function normaliseWord(word: string): string {
  return (foldWord(word)[0] ?? '').replaceAll('ы', 'и');
}

export function tokenise(text: string): string[] {
  return splitWords(text).map(normaliseWord);
}

export function isStopWord(form: string): boolean {
  return STOP_WORDS.has(form);
}

/** The beginning of a word, for the index of the tutorials: the end is inflection. */
export function toStem(form: string): string {
  return form.slice(0, 5);
}

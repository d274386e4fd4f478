import type { Audience, Group, GroupName, Profile } from '@dostar/protocol/contract/profile';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { showFeedback, successDuration } from '../../core/lib/feedback.ts';
import { focusFirstProblem } from './focus-first-problem.ts';
import { checkGroup } from './list-problems.ts';
import { saveGroup } from './own-profile.ts';
import { reasonOf } from './reason-of.ts';
import { useDraft } from './use-draft.ts';

/** Without the pictures, which have their own dialog: saving the form must not change them. */
type Fields<Name extends GroupName> = Omit<Group<Name>, 'picture' | 'background'>;

interface FormValue<Name extends GroupName> {
  audience: Audience;
  value: Fields<Name>;
}

export interface GroupFormState<Name extends GroupName> {
  value: Fields<Name>;
  change: (changes: Partial<Fields<Name>>) => void;
  audience: Audience;
  changeAudience: (audience: Audience) => void;
  /** Error message for a field path. */
  problemAt: (place: string) => string | undefined;
  isDirty: boolean;
  isSaving: boolean;
  theirs: FormValue<Name> | undefined;
  takeTheirs: () => void;
  keepMine: () => void;
  handleSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/** `clean` removes empty entries before saving. */
export function useGroupForm<Name extends GroupName>(
  name: Name,
  profile: Profile,
  clean: (value: Fields<Name>) => Fields<Name> = (value) => value,
): GroupFormState<Name> {
  const { t } = useTranslation('profile');
  const [isSaving, setIsSaving] = useState(false);
  const [hasTried, setHasTried] = useState(false);
  const draft = useDraft(toFormValue<Name>(profile[name] as unknown as FormValue<Name>), isSaving);
  const { audience, value } = draft.value;
  const checked = checkGroup(name, withPictures(value));
  const problems = hasTried && 'problems' in checked ? checked.problems : {};

  function withPictures(fields: Fields<Name>): Group<Name> {
    return { ...profile[name].value, ...fields } as Group<Name>;
  }

  async function save(): Promise<void> {
    setIsSaving(true);
    try {
      const fields = clean(value);
      const next = checkGroup(name, withPictures(fields));
      setHasTried('problems' in next);
      if ('problems' in next) {
        draft.change({ audience, value: fields });
        showFeedback('error', t('form.check'));
        focusFirstProblem();
        return;
      }
      await saveGroup(name, { audience, value: next.value });
      draft.settle(toFormValue<Name>({ audience, value: next.value }));
      showFeedback('success', t('feedback.saved'), successDuration);
    } catch (error) {
      showFeedback('error', t('feedback.failed', { message: t(`reasons.${reasonOf(error)}`) }));
    } finally {
      setIsSaving(false);
    }
  }

  return {
    value,
    change: (changes) => draft.change({ audience, value: { ...value, ...changes } }),
    audience,
    changeAudience: (next) => draft.change({ audience: next, value }),
    problemAt(place) {
      const problem = problems[place];
      return problem && t(`problems.${problem}`);
    },
    isDirty: draft.isDirty,
    isSaving,
    theirs: draft.theirs,
    takeTheirs: draft.takeTheirs,
    keepMine() {
      draft.keepMine();
      void save();
    },
    handleSubmit(event) {
      event.preventDefault();
      if (draft.isDirty && !isSaving) void save();
    },
  };
}

function toFormValue<Name extends GroupName>({ audience, value }: FormValue<Name>): FormValue<Name> {
  const { picture: _, background: __, ...fields } = value as unknown as Group<'personal'>;
  return { audience, value: fields as unknown as Fields<Name> };
}

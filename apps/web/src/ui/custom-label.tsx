import type { ReactNode } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';

export interface CustomLabelProps {
  /** The id of the field that the label names. */
  htmlFor?: string;
  id?: string;
  children: ReactNode;
  /** Adds the word "optional"; an asterisk alone explains nothing. */
  isOptional?: boolean;
}

export function CustomLabel({ htmlFor, id, children, isOptional = false }: CustomLabelProps) {
  const { t } = useTranslation('ui');
  return (
    <label htmlFor={htmlFor} id={id} className="mb-1.5 block text-body font-semibold">
      {children}
      {isOptional && <span className="ml-2 text-small font-normal text-muted">{t('optional')}</span>}
    </label>
  );
}

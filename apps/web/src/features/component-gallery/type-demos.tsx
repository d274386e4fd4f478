import { useId, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { formatBytes } from '../../core/i18n/format-number.ts';
import { paths } from '../../core/lib/paths.ts';
import { useLocale } from '../../core/i18n/use-locale.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { CustomInput } from '../../ui/custom-input.tsx';
import { CustomLabel } from '../../ui/custom-label.tsx';
import { CustomPasswordInput } from '../../ui/custom-password-input.tsx';
import { CustomTextArea } from '../../ui/custom-text-area.tsx';
import { DateField } from '../../ui/date-field.tsx';
import { fieldClass } from '../../ui/field-class.ts';
import { FileDrop } from '../../ui/file-drop.tsx';
import { Demo, DemoGroup } from './demo.tsx';

function FileDemo() {
  const { t } = useTranslation('components');
  const { code } = useLocale();
  const [files, setFiles] = useState<File[]>([]);
  return (
    <>
      <FileDrop label={t('demo.photo')} hint={t('demo.photoHint')} accept="image/*" onFiles={setFiles} />
      {files.map((file) => (
        <p key={file.name} role="status" className="figures truncate text-small">
          {`${file.name} · ${formatBytes(code, file.size)}`}
        </p>
      ))}
    </>
  );
}

export function TypeDemos() {
  const { t } = useTranslation('components');
  const id = useId();
  return (
    <DemoGroup title={t('groups.type')}>
      <Demo name="custom-input" text={t('parts.customInput')} to={paths.customInput}>
        <CustomInput label={t('demo.username')} hint={t('demo.usernameHint')} defaultValue="clever.fox.1042" />
        <CustomInput label={t('demo.username')} error={t('demo.usernameTaken')} defaultValue="dostar" />
      </Demo>
      <Demo name="custom-password-input" text={t('parts.customPasswordInput')} to={paths.customPasswordInput}>
        <CustomPasswordInput label={t('demo.newPassword')} hasMeter defaultValue="steppe wind" />
        <CustomPasswordInput label={t('demo.password')} error={t('demo.wrong')} defaultValue="1234" />
      </Demo>
      <Demo name="custom-label" text={t('parts.customLabel')} to={paths.customLabel}>
        <div>
          <CustomLabel htmlFor={id} isOptional>
            {t('demo.city')}
          </CustomLabel>
          <input id={id} className={fieldClass(false, 'h-13 px-4')} />
        </div>
      </Demo>
      <Demo name="custom-text-area" text={t('parts.customTextArea')}>
        <CustomTextArea label={t('demo.about')} hint={t('demo.aboutHint')} />
      </Demo>
      <Demo name="code-field" text={t('parts.codeField')}>
        <CodeField label={t('demo.code')} />
      </Demo>
      <Demo name="date-field" text={t('parts.dateField')}>
        <DateField label={t('demo.birthday')} defaultValue="1990-03-22" />
      </Demo>
      <Demo name="file-drop" text={t('parts.fileDrop')} isWide>
        <FileDemo />
      </Demo>
    </DemoGroup>
  );
}

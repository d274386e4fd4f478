import { useTranslation } from '../../core/i18n/use-translation.ts';
import { licences } from './licences.ts';

export function LicenceTable() {
  const { t } = useTranslation('about');
  return (
    <table className="mt-4 w-full max-w-3xl text-left">
      <thead className="text-small text-muted">
        <tr className="border-b border-line">
          <th scope="col" className="py-2 pr-2 font-semibold sm:pr-4">
            {t('licences.name')}
          </th>
          <th scope="col" className="py-2 pr-2 font-semibold sm:pr-4">
            {t('licences.use')}
          </th>
          <th scope="col" className="py-2 font-semibold">
            {t('licences.licence')}
          </th>
        </tr>
      </thead>
      <tbody>
        {licences.map(({ name, use, licence }) => (
          <tr key={name} className="border-b border-line last:border-0">
            <th scope="row" className="py-2.5 pr-2 font-semibold sm:pr-4">
              {name}
            </th>
            <td className="py-2.5 pr-2 text-muted sm:pr-4">{t(use)}</td>
            <td className="py-2.5 text-muted">{licence}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

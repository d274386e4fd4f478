interface SettingsHeadingProps {
  title: string;
  lead: string;
}

export function SettingsHeading({ title, lead }: SettingsHeadingProps) {
  return (
    <div>
      <h1 className="text-headline font-bold tracking-tight">{title}</h1>
      <p className="mt-1 text-muted">{lead}</p>
    </div>
  );
}

interface FormHeadingProps {
  title: string;
  lead: string;
}

export function FormHeading({ title, lead }: FormHeadingProps) {
  return (
    <div className="mb-7">
      <h1 className="text-headline font-bold tracking-tight">{title}</h1>
      <p className="mt-1.5 text-field text-muted">{lead}</p>
    </div>
  );
}

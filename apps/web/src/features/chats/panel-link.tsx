import type { ReactNode } from 'react';

interface PanelLinkProps {
  icon: ReactNode;
  onPress: () => void;
  children: ReactNode;
}

/** Button that switches the panel to another view. */
export function PanelLink({ icon, onPress, children }: PanelLinkProps) {
  return (
    <button
      type="button"
      onClick={onPress}
      className="mx-2 flex min-h-12 items-center gap-4 rounded-field px-5 text-left font-medium text-accent outline-offset-[-2px] hover:bg-surface-2"
    >
      {icon}
      {children}
    </button>
  );
}

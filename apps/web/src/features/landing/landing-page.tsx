import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { AmadeusCard } from './amadeus-card.tsx';
import { FeatureCards } from './feature-cards.tsx';
import { CallToAction } from './call-to-action.tsx';
import { Hero } from './hero.tsx';
import { Honesty } from './honesty.tsx';
import { Steps } from './steps.tsx';

await requestTexts('landing');

export const meta = pageMeta('landing', 'home');

export default function LandingPage() {
  return (
    <div className="flex flex-col gap-16 pb-16 lg:gap-24 lg:pb-24">
      <Hero />
      <FeatureCards />
      <Steps />
      <AmadeusCard />
      <Honesty />
      <CallToAction />
    </div>
  );
}

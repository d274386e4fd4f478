-- How often pages of each kind were opened on a day. No person, no address, no cookie.
create table page_view (
  day date not null,
  kind text not null,
  -- Spreads processes over rows, as in `stats`.
  slot smallint not null,
  views bigint not null,
  primary key (day, kind, slot)
);

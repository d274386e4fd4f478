# Runs a program that the kernel (Landlock) lets read a few folders, write to one, and use no network:
#
#   confine.pl WRITABLE READABLE… -- PROGRAM ARGUMENT…      WRITABLE may be empty
#
# The decoders of pictures are native code, which no limit inside Node stops. Perl belongs to every Debian and calls the
# kernel without a compiler. Exit code 13: this kernel has no Landlock, or a container forbids it; nothing was run.
use strict;
use warnings;

use constant { CREATE_RULESET => 444, ADD_RULE => 445, RESTRICT_SELF => 446, O_PATH => 0x200000 };
use constant { EXECUTE => 1, WRITE_FILE => 2, READ_FILE => 4, READ_DIR => 8, TRUNCATE => 1 << 14 };
use constant { ALL_OF_VERSION_1 => 0x1fff, NO_LANDLOCK => 13, UNREADABLE => 10 };

my $writable = shift @ARGV;
my @readable;
while (@ARGV && (my $path = shift @ARGV) ne '--') { push @readable, $path }

my $version = syscall(CREATE_RULESET, 0, 0, 1);
exit NO_LANDLOCK if $version < 1;
my $files = ALL_OF_VERSION_1;
$files |= 1 << 13 if $version >= 2;
$files |= TRUNCATE if $version >= 3;
$files |= 1 << 15 if $version >= 5;
# Files; connecting and listening; abstract sockets and signals to others.
my $handled = pack 'Q', $files;
$handled .= pack 'Q', 3 if $version >= 4;
$handled .= pack 'Q', 3 if $version >= 6;
my $rules = syscall(CREATE_RULESET, $handled, length $handled, 0);
exit NO_LANDLOCK if $rules < 0;

sub allow {
  my ($path, $access) = @_;
  sysopen(my $handle, $path, O_PATH) or return;
  $access &= EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE unless -d $path;
  my $rule = pack 'Ql', $access & $files, fileno $handle;
  syscall(ADD_RULE, $rules, 1, $rule, 0) == 0 or exit NO_LANDLOCK;
}

allow($_, EXECUTE | READ_FILE | READ_DIR) for @readable;
allow('/dev/null', READ_FILE | WRITE_FILE);
# What makes devices and links stays forbidden: 7 is MAKE_DIR, 8 MAKE_REG, 4 and 5 remove them.
allow($writable, EXECUTE | WRITE_FILE | READ_FILE | READ_DIR | TRUNCATE | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8) if $writable ne '';
exit NO_LANDLOCK if syscall(RESTRICT_SELF, $rules, 0) != 0;
exec { $ARGV[0] } @ARGV;
exit UNREADABLE;

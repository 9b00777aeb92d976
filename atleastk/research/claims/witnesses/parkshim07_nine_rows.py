"""Figure 2: part (b) has nine rows where part (a) has eight."""

before = ["20~29"] * 6 + ["30~39"] * 2
after = ["20~29 Single * * *"] * 5 + ["* * USA Male *"] * 4
print(f"{len(before)} rows are anonymized to {len(after)}")
raise SystemExit(len(before) == len(after))

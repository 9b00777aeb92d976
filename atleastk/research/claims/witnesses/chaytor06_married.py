"""Figure 3.2: patient x4 is not unmarried, as the text says, but married."""

patients = [
    (25, "Male", "Yes", 709),
    (25, "Male", "Yes", 709),
    (25, "Female", "No", 804),
    (40, "Male", "Yes", 807),
    (40, "Male", "No", 902),
    (40, "Male", "No", 902),
    (40, "Male", "No", 902),
]
said = [row for row in patients if row == (40, "Male", "No", 807)]
print(f"x4 is {patients[3]}; unmarried men of 40 in 807: {len(said)}")
raise SystemExit(len(said) == 1)
